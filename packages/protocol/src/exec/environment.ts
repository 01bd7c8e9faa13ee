/** Settings and capability folders on the exec-server's machine. */
import { type Static, Type } from "typebox";
import { maybe, nullable, open, shape } from "../define.js";
import { ExecSandbox } from "./sandbox.js";

const KeyPaths = Type.Array(Type.Array(Type.String()));

export const EnvironmentConfigReadParams = open("EnvironmentConfigReadParams", {
  cwd: Type.String(),
  /** TOML key paths, each of at least one segment. */
  configPaths: KeyPaths,
  requirementsPaths: KeyPaths,
});
export type EnvironmentConfigReadParams = Static<typeof EnvironmentConfigReadParams>;

const Layers = shape({
  layers: Type.Array(shape({ source: Type.String(), baseDir: nullable(Type.String()), toml: Type.String() })),
  cloudInsertionIndex: Type.Integer({ minimum: 0 }),
});

export const EnvironmentConfigReadResponse = open("EnvironmentConfigReadResponse", {
  userHomeDir: nullable(Type.String()),
  codexHomeDir: Type.String(),
  hostname: nullable(Type.String()),
  config: Layers,
  requirements: Layers,
});
export type EnvironmentConfigReadResponse = Static<typeof EnvironmentConfigReadResponse>;

export const CapabilityRootsDiscoverParams = open("CapabilityRootsDiscoverParams", {
  roots: Type.Array(shape({ id: Type.String(), path: Type.String(), sandbox: maybe(ExecSandbox) })),
});
export type CapabilityRootsDiscoverParams = Static<typeof CapabilityRootsDiscoverParams>;

export const CapabilityFile = open("CapabilityFile", { path: Type.String(), contents: Type.String() });
export type CapabilityFile = Static<typeof CapabilityFile>;

export const CapabilityRoot = open("CapabilityRoot", {
  id: Type.String(),
  path: Type.String(),
  plugin: nullable(
    shape({
      manifest: CapabilityFile,
      mcpConfig: nullable(CapabilityFile),
      appsConfig: nullable(CapabilityFile),
    }),
  ),
  skills: Type.Array(shape({ instructions: CapabilityFile, metadata: nullable(CapabilityFile) })),
  namespaceManifests: Type.Array(CapabilityFile),
  warnings: Type.Array(Type.String()),
  error: nullable(Type.String()),
});
export type CapabilityRoot = Static<typeof CapabilityRoot>;

export const CapabilityRootsDiscoverResponse = open("CapabilityRootsDiscoverResponse", {
  roots: Type.Array(CapabilityRoot),
});
export type CapabilityRootsDiscoverResponse = Static<typeof CapabilityRootsDiscoverResponse>;
