/** What terminals insert when a file is dropped on them or its path is copied; recorded, one row each. */
import { describe, expect, it } from "vitest";
import { KeyDecoder } from "../terminal/key-decoder.js";
import { pastedImagePaths } from "./image-path.js";

const around = { home: "/home/ada", cwd: "/proj", wsl: false };

/** The bytes of one paste as the interface takes them. */
function pasted(bytes: string): string {
  const [event] = new KeyDecoder().push(`\x1b[200~${bytes}\x1b[201~`);
  if (event?.type !== "paste") throw new Error("no paste");
  return event.text;
}

const first = (bytes: string, wsl = false): readonly string[] | undefined =>
  pastedImagePaths(pasted(bytes), { ...around, wsl })[0];

describe("one image", () => {
  it.each([
    ["xterm, kitty: plain", "/tmp/a.png", "/tmp/a.png"],
    ["GNOME Terminal: single quotes and a space", "'/tmp/my shot.png' ", "/tmp/my shot.png"],
    ["GNOME Terminal: a quote inside", "'/tmp/it'\\''s.png' ", "/tmp/it's.png"],
    ["WezTerm, Python: a quote inside double quotes", `'/tmp/it'"'"'s.png'`, "/tmp/it's.png"],
    ["Konsole: double quotes", '"/tmp/my shot.png"', "/tmp/my shot.png"],
    ["double quotes with escapes", '"/tmp/\\"a\\" \\$b.png"', '/tmp/"a" $b.png'],
    ["iTerm2, Terminal.app, Ghostty: backslashes", "/tmp/my\\ shot\\ \\(1\\).png ", "/tmp/my shot (1).png"],
    ["a backslash itself", "/tmp/a\\\\b.png", "/tmp/a\\b.png"],
    ["Alacritty, foot: as it is", "/tmp/my shot.png", "/tmp/my shot.png"],
    ["a quote in a plain name", "/tmp/it's.png", "/tmp/it's.png"],
    ["Nautilus, browsers: a URL", "file:///tmp/my%20shot.png", "/tmp/my shot.png"],
    ["URL with host", "file://localhost/tmp/a.png", "/tmp/a.png"],
    ["URL with accents", "file:///tmp/caf%C3%A9.png\r\n", "/tmp/café.png"],
    ["home", "~/Pictures/a.JPG", "/home/ada/Pictures/a.JPG"],
    ["home, escaped", "~/My\\ Pictures/a.jpeg", "/home/ada/My Pictures/a.jpeg"],
    ["macOS: decomposed accents stay", "/tmp/cafe\u0301.png", "/tmp/cafe\u0301.png"],
    ["macOS: narrow space of screenshots", "/tmp/Shot\\ 9.41\u202fAM.png", "/tmp/Shot 9.41\u202fAM.png"],
    ["relative", "./a.webp", "/proj/a.webp"],
    ["relative, by name", "shot.heic", "/proj/shot.heic"],
    ["other scripts", "/tmp/画像\\ 1.png", "/tmp/画像 1.png"],
  ])("%s", (_terminal, bytes, path) => {
    const readings = pastedImagePaths(pasted(bytes), around);
    expect(readings.map((paths) => paths.join("|"))).toContain(path);
  });

  it.each([
    ["Windows Terminal", "C:\\Users\\ada\\shot.png", "/mnt/c/Users/ada/shot.png"],
    ["Windows Terminal: quoted", '"C:\\Users\\ada\\a b.png"', "/mnt/c/Users/ada/a b.png"],
    ["not quoted", "D:\\my shots\\a b.png", "/mnt/d/my shots/a b.png"],
    ["slashes", "c:/Users/ada/a.png", "/mnt/c/Users/ada/a.png"],
    ["URL", "file:///C:/Users/ada/a%20b.png", "/mnt/c/Users/ada/a b.png"],
    ["share of this system", "\\\\wsl$\\Ubuntu\\home\\ada\\a.png", "/home/ada/a.png"],
    ["share of this system, new name", '"\\\\wsl.localhost\\Debian\\home\\ada\\a b.png"', "/home/ada/a b.png"],
    ["URL of the share", "file://wsl.localhost/Debian/home/ada/a.png", "/home/ada/a.png"],
  ])("under WSL, %s", (_terminal, bytes, path) => {
    const readings = pastedImagePaths(pasted(bytes), { ...around, wsl: true });
    expect(readings.map((paths) => paths.join("|"))).toContain(path);
    expect(pastedImagePaths(pasted(bytes), around)).toEqual([]);
  });
});

describe("several images", () => {
  it.each([
    ["quoted", "'/tmp/a b.png' '/tmp/c.jpg' ", ["/tmp/a b.png", "/tmp/c.jpg"]],
    ["escaped", "/tmp/a\\ b.png /tmp/c.jpg", ["/tmp/a b.png", "/tmp/c.jpg"]],
    ["URLs on lines of their own", "file:///tmp/a%20b.png\r\nfile:///tmp/c.jpg\r\n", ["/tmp/a b.png", "/tmp/c.jpg"]],
  ])("%s", (_name, bytes, paths) => {
    expect(first(bytes)).toEqual(paths);
  });

  it("as they are, one to a line", () => {
    expect(pastedImagePaths("/tmp/a b.png\n/tmp/c.jpg", around)).toContainEqual(["/tmp/a b.png", "/tmp/c.jpg"]);
  });
});

describe("text", () => {
  it.each([
    ["look at this a.png"],
    ["/tmp/a.txt"],
    ["/tmp/a.png is broken"],
    ["compare /tmp/a.png /tmp/b.png"],
    ["'/tmp/a.png"],
    ["file://%zz/a.png"],
    ["https://example.com/a.png?x"],
    ["\\\\server\\share\\a.png"],
    [""],
  ])("%j stays text", (text) => {
    expect(pastedImagePaths(text, around)).toEqual([]);
  });
});
