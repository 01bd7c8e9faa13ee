/** Every case of a host again, with all processes started by the helper. */
import { LocalHost } from "@turnkit/exec-server/local-host";
import { afterAll, beforeAll } from "vitest";
import { setHelperThreshold } from "../src/process/spawn-helper.js";
import { describeHost } from "./host-cases.js";

beforeAll(() => setHelperThreshold(0));
afterAll(() => setHelperThreshold(undefined));

describeHost("the in-process host with the spawn helper", async () => {
  const host = new LocalHost();
  return { host, genuine: false, close: () => host[Symbol.asyncDispose]() };
});
