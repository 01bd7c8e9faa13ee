export function generate(): Promise<{ names: number; changed: boolean }>;
export function load(entry: string): Promise<Record<string, unknown>>;
export function writeIfChanged(path: string, text: string): boolean;
