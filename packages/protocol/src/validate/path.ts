/** The syntax of places in a value (`input[1].text`), and the way from a JSON pointer to one. */

/** Puts a label before a path: `params` and `input[0]` make `params.input[0]`. */
export function joinPath(label: string, path: string): string {
  if (label === "" || path === "") return label + path;
  return path.startsWith("[") ? label + path : `${label}.${path}`;
}

/** One member after a path. */
export function memberPath(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  if (/^[A-Za-z_$][\w$]*$/.test(key)) return path === "" ? key : `${path}.${key}`;
  return `${path}[${JSON.stringify(key)}]`;
}

function pointerParts(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** How many steps a JSON pointer goes down. */
export function depthOf(pointer: string): number {
  return pointerParts(pointer).length;
}

export interface Place {
  readonly path: string;
  /** What stands there. */
  readonly value: unknown;
}

export function locate(root: unknown, pointer: string): Place {
  let path = "";
  let value = root;
  for (const part of pointerParts(pointer)) {
    if (Array.isArray(value)) {
      path = memberPath(path, Number(part));
      value = value[Number(part)];
    } else {
      path = memberPath(path, part);
      value = (value as Record<string, unknown> | null | undefined)?.[part];
    }
  }
  return { path, value };
}
