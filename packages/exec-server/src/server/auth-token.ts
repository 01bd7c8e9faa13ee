/** The bearer token of a server: read from a file, compared in constant time. */
import { createHash, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";

/** Decides about the value of an Authorization header. */
export type TokenCheck = (authorization: string | undefined) => boolean;

/** @throws {Error} the file cannot be read or holds no token */
export function tokenCheckFromFile(file: string): TokenCheck {
  const token = readFileSync(file, "utf8").trim();
  if (token === "") throw new Error(`${file} holds no token`);
  const expected = digest(token);
  return (authorization) => {
    const given = /^Bearer +(.+)$/i.exec(authorization ?? "")?.[1]?.trim();
    // Digests have one length, whatever was given.
    return given !== undefined && timingSafeEqual(digest(given), expected);
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text, "utf8").digest();
}
