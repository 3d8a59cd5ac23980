import type { ModelServer, ServeRequest } from '../../core/contracts/model-server.ts'

export interface TenantModelServers {
  /** @throws EspalierError `invalid_request` for an invalid tenant name */
  of(tenant: string): ModelServers
}

/**
 * A tenant's served models. A served model is an endpoint of the kind `served`. A call to it starts its server if
 * none runs and waits until it is healthy. An unused server is stopped after some time, and the next call starts it
 * again.
 */
export interface ModelServers {
  /**
   * Creates the model's endpoint and starts its server. A model that a service keeps becomes an endpoint at that
   * service, without a server. Serving a served model again updates changed settings.
   * @returns the endpoint's name, immediately: calls wait until the server is healthy
   * @throws EspalierError `not_found` for an unknown model; `invalid_request` for a driver that cannot serve it;
   * `not_supported` if the service runs no servers
   */
  serve(model: string, request?: ServeRequest): Promise<string>
  /**
   * Ends the server and removes the endpoint. Does nothing if the model is not served.
   * @throws EspalierError `not_found` for an unknown model
   */
  stop(model: string): Promise<void>
  list(): Promise<ModelServer[]>
  /** @throws EspalierError `not_found` if the model is not served */
  get(model: string): Promise<ModelServer>
}
