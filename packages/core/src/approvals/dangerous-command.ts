/** Commands nobody should run by accident: forced recursive removal, also behind sudo or in a chain. */

const FORCED_REMOVAL = /(?:^|[;&|(]|\bsudo\s)\s*(?:sudo\s+)?rm\s+(?:-[a-zA-Z]*\s+)*-[a-zA-Z]*f/;

export function isDangerous(command: string): boolean {
  return FORCED_REMOVAL.test(command);
}
