/**
 * An MCP server over HTTP and the authorization server in front of it, on one loopback port: discovery, registration,
 * authorization code with PKCE, refresh. Tests decide how it behaves and see what it was asked.
 */
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface OAuthServerBehaviour {
  /** The person says no. */
  deny: boolean;
  /** What the browser brings back instead of the state it was given. */
  state: string | undefined;
  /** `undefined`: the server does not say. */
  expiresIn: number | undefined;
  refuseRefresh: boolean;
  refuseCodes: boolean;
  /** The token endpoint answers with a page that repeats what it was asked. */
  broken: boolean;
  /** Whether it says anywhere that one can sign in; it wants a token either way. */
  discoverable: boolean;
}

export class OAuthServer implements AsyncDisposable {
  readonly behaviour: OAuthServerBehaviour = {
    deny: false,
    state: undefined,
    expiresIn: 3600,
    refuseRefresh: false,
    refuseCodes: false,
    broken: false,
    discoverable: true,
  };
  readonly registrations: Record<string, unknown>[] = [];
  readonly tokenRequests: Record<string, string>[] = [];
  readonly authorizations: Record<string, string>[] = [];
  /** Access tokens that are good. */
  readonly accessTokens = new Set<string>();
  /** Every token and code there ever was. */
  readonly secrets: string[] = [];
  readonly #codes = new Map<string, { challenge: string; redirect: string; scope: string }>();
  readonly #refreshTokens = new Set<string>();
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });

  static async start(port = 0): Promise<OAuthServer> {
    const made = new OAuthServer();
    await new Promise<void>((resolve) => made.#server.listen(port, "127.0.0.1", resolve));
    return made;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get mcpUrl(): string {
    return `${this.origin}/mcp`;
  }

  /** As a browser does: follows the redirect to whoever asked. The last page. */
  async visit(authorizationUrl: string): Promise<{ readonly status: number; readonly text: string }> {
    const response = await fetch(authorizationUrl);
    return { status: response.status, text: await response.text() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.origin);
    const body = await text(request);
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (url.pathname === "/mcp") return this.#mcp(request, response, body);
    if (url.pathname.startsWith("/.well-known/") && !this.behaviour.discoverable) {
      response.writeHead(404).end();
      return;
    }
    switch (url.pathname) {
      case "/.well-known/oauth-protected-resource/mcp":
        json({ resource: this.mcpUrl, authorization_servers: [this.origin] });
        return;
      case "/.well-known/oauth-authorization-server":
        json({
          issuer: this.origin,
          authorization_endpoint: `${this.origin}/authorize`,
          token_endpoint: `${this.origin}/token`,
          registration_endpoint: `${this.origin}/register`,
          response_types_supported: ["code"],
          grant_types_supported: ["authorization_code", "refresh_token"],
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none"],
        });
        return;
      case "/register": {
        const asked = JSON.parse(body) as Record<string, unknown>;
        this.registrations.push(asked);
        json({ ...asked, client_id: `client-${this.registrations.length}` }, 201);
        return;
      }
      case "/authorize":
        this.#authorize(url, response);
        return;
      case "/token": {
        const asked = Object.fromEntries(new URLSearchParams(body));
        this.tokenRequests.push(asked);
        if (this.behaviour.broken) response.writeHead(503).end(`cannot do ${body}`);
        else json(...this.#token(asked));
        return;
      }
      default:
        response.writeHead(404).end();
    }
  }

  #authorize(url: URL, response: ServerResponse): void {
    const asked = Object.fromEntries(url.searchParams);
    this.authorizations.push(asked);
    const back = new URL(asked.redirect_uri ?? "");
    back.searchParams.set("state", this.behaviour.state ?? asked.state ?? "");
    if (this.behaviour.deny) {
      back.searchParams.set("error", "access_denied");
      back.searchParams.set("error_description", "the person said no");
    } else {
      const code = this.#secret("code");
      const { code_challenge: challenge = "", redirect_uri: redirect = "", scope = "" } = asked;
      this.#codes.set(code, { challenge, redirect, scope });
      back.searchParams.set("code", code);
    }
    response.writeHead(302, { location: back.href }).end();
  }

  #token(asked: Record<string, string>): [unknown, number] {
    if (asked.grant_type === "refresh_token") {
      if (this.behaviour.refuseRefresh || !this.#refreshTokens.delete(asked.refresh_token ?? ""))
        return [{ error: "invalid_grant", error_description: "this refresh token is no longer good" }, 400];
      return [this.#tokens(asked.scope ?? ""), 200];
    }
    const code = this.#codes.get(asked.code ?? "");
    this.#codes.delete(asked.code ?? "");
    const challenge = createHash("sha256")
      .update(asked.code_verifier ?? "")
      .digest("base64url");
    if (this.behaviour.refuseCodes || code?.challenge !== challenge || code.redirect !== asked.redirect_uri)
      return [{ error: "invalid_grant", error_description: "this code is not good" }, 400];
    return [this.#tokens(code.scope), 200];
  }

  #tokens(scope: string): Record<string, unknown> {
    const access = this.#secret("access");
    const refresh = this.#secret("refresh");
    this.accessTokens.add(access);
    this.#refreshTokens.add(refresh);
    const { expiresIn } = this.behaviour;
    return {
      access_token: access,
      token_type: "Bearer",
      refresh_token: refresh,
      ...(expiresIn !== undefined && { expires_in: expiresIn }),
      ...(scope !== "" && { scope }),
    };
  }

  #secret(kind: string): string {
    const secret = `${kind}-${randomUUID()}`;
    this.secrets.push(secret);
    return secret;
  }

  #mcp(request: IncomingMessage, response: ServerResponse, body: string): void {
    const [, token = ""] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
    if (!this.accessTokens.has(token)) {
      const metadata = `${this.origin}/.well-known/oauth-protected-resource/mcp`;
      response
        .writeHead(401, {
          ...(this.behaviour.discoverable && { "www-authenticate": `Bearer resource_metadata="${metadata}"` }),
        })
        .end();
      return;
    }
    if (request.method !== "POST") {
      response.writeHead(request.method === "DELETE" ? 200 : 405).end();
      return;
    }
    const { id, method, params } = JSON.parse(body) as {
      id?: unknown;
      method: string;
      params?: Record<string, unknown>;
    };
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, result: mcpResult(method, params) }));
  }
}

function mcpResult(method: string, params: Record<string, unknown> = {}): unknown {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "guarded", version: "1.0.0" },
      };
    case "tools/list":
      return { tools: [{ name: "peek", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }] };
    case "tools/call":
      return { content: [{ type: "text", text: "seen" }] };
    default:
      return {};
  }
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
