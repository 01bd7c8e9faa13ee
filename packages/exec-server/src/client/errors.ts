/** What can go wrong between this client and its server. Each class answers whether trying again makes sense. */

/** The connection is gone for good: nothing sent from now on reaches the server. `cause` holds the last failure. */
export class HostTransportError extends Error {
  override readonly name = "HostTransportError";
}

/** The server took part of a process's history away: the process was ended, others go on. */
export class ReplayGapError extends Error {
  override readonly name = "ReplayGapError";
}
