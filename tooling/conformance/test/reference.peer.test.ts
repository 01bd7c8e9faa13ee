// The reference must agree with its own recordings; otherwise the driver has changed what it asks.
import { expect, test } from "vitest";
import { appServerSuite } from "../src/app-server/suite.mjs";
import { execServerSuite } from "../src/exec-server/suite.mjs";

/** Scenarios in which the reference is steady from run to run. */
const steady = [
  [appServerSuite, "basic-text"],
  [appServerSuite, "bad-before-init"],
  [appServerSuite, "rui-answer"],
  [appServerSuite, "turn-steer"],
  [execServerSuite, "handshake"],
  [execServerSuite, "proc_pipe"],
  [execServerSuite, "proc_write"],
] as const;

test.each(steady.map(([suite, scenario]) => ({ suite, scenario, name: suite.name })))(
  "$name $scenario",
  async ({ suite, scenario }) => {
    const program = process.env.TURNKIT_PEER_CODEX;
    if (program === undefined) throw new Error("TURNKIT_PEER_CODEX must name the genuine program");
    const command = [program, ...suite.arguments];
    const { failure, differences } = await suite.run(scenario, { command, output: () => {} });
    expect(failure).toBeUndefined();
    expect(differences).toEqual([]);
  },
  60_000,
);
