/** What the client library is told about one login, and what it tells: nothing of it outlives the login but the tokens. */
import { randomBytes } from "node:crypto";
import type { OAuthClientProvider, OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js";
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import type { SignInPlace } from "./sign-in-place.js";

export interface LoginProviderOptions {
  readonly place: SignInPlace;
  readonly redirectUrl: string;
  /** A client that the authorization server knows already. */
  readonly clientId: string | undefined;
  readonly resource: string | undefined;
}

export class LoginProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  /** Brought back by the browser with its answer. */
  readonly sentState = randomBytes(24).toString("base64url");
  readonly validateResourceURL?: () => Promise<URL | undefined>;
  client: OAuthClientInformationMixed | undefined;
  authorizationUrl: string | undefined;
  gained: OAuthTokens | undefined;
  #verifier = "";

  constructor(private readonly options: LoginProviderOptions) {
    const { redirectUrl, clientId, resource } = options;
    this.redirectUrl = redirectUrl;
    this.clientMetadata = {
      client_name: "Turnkit",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
    if (clientId !== undefined) this.client = { client_id: clientId };
    // The library asks whether the method is there.
    if (resource !== undefined) this.validateResourceURL = async () => new URL(resource);
  }

  state(): string {
    return this.sentState;
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.client;
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.client = client;
  }

  /** A login begins anew, whatever is stored. */
  tokens(): undefined {
    return undefined;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.gained = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url.href;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  discoveryState(): OAuthDiscoveryState {
    const { info, resourceMetadataUrl } = this.options.place;
    return { ...info, ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }) };
  }
}
