import { describe, expect, it } from "vitest";
import { isBarePatch, recognisePatchCommand } from "./recognise-command.js";

const PATCH = "*** Begin Patch\n*** Add File: f\n+x\n*** End Patch";

describe("recognisePatchCommand", () => {
  it.each([
    [`apply_patch <<'EOF'\n${PATCH}\nEOF`, undefined],
    [`apply_patch << EOF\n${PATCH}\nEOF\n`, undefined],
    [`applypatch <<"PATCH"\n${PATCH}\nPATCH`, undefined],
    [`cd sub && apply_patch <<'EOF'\n${PATCH}\nEOF`, "sub"],
    [`cd 'a b' && apply_patch <<'EOF'\n${PATCH}\nEOF`, "a b"],
    [`apply_patch '${PATCH}'`, undefined],
  ])("takes %j", (script, folder) => {
    expect(recognisePatchCommand(script)).toEqual({ patch: PATCH, folder });
  });

  it.each([
    `apply_patch <<'EOF'\n${PATCH}\nEOF\necho done`,
    `apply_patch <<'EOF'\n${PATCH}`,
    `cd $HOME && apply_patch <<'EOF'\n${PATCH}\nEOF`,
    `cd a; apply_patch <<'EOF'\n${PATCH}\nEOF`,
    "apply_patch --help",
    "echo apply_patch",
  ])("leaves %j to the shell", (script) => {
    expect(recognisePatchCommand(script)).toBeUndefined();
  });

  it("knows a patch without a command", () => {
    expect(isBarePatch(PATCH)).toBe(true);
    expect(isBarePatch(`apply_patch <<'EOF'\n${PATCH}\nEOF`)).toBe(false);
  });
});
