/** The protocol release these shapes follow. */
export const PROTOCOL_VERSION = "0.150.0";
