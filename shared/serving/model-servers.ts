import type { ModelServer, ServeRequest } from '../contracts/model-server.ts'

/** The servers of every tenant's registered models. */
export interface TenantModelServers {
  /** @throws EspalierError `invalid_request` for what is not the name of a tenant */
  of(tenant: string): ModelServers
}

/**
 * A tenant's models that are served. A served model is an endpoint of the kind `served`: a call to it starts its server where
 * none runs and waits until it is healthy; a server that is not asked for some time is stopped, and started again by
 * the next call.
 */
export interface ModelServers {
  /**
   * Makes the model an endpoint and has its server started. A model that a service keeps is an endpoint at that service,
   * and nothing is started. Serving a model that is served already changes its
   * settings where they differ.
   *
   * @returns the endpoint's name, at once: calls wait until the server is healthy
   * @throws EspalierError `not_found` for an unknown model; `invalid_request` for a driver that cannot serve it;
   * `not_supported` where the service runs no servers
   */
  serve(model: string, request?: ServeRequest): Promise<string>
  /**
   * Ends the server and removes the endpoint. Nothing happens where the model is not served.
   *
   * @throws EspalierError `not_found` for an unknown model
   */
  stop(model: string): Promise<void>
  /** The models that are served, the newest first. */
  list(): Promise<ModelServer[]>
  /** @throws EspalierError `not_found` where the model is not served */
  get(model: string): Promise<ModelServer>
}
