import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import { classifieds } from '../classifieds/classifieds.ts'
import { forum } from '../forum/forum.ts'
import { shop } from '../shop/shop.ts'
import { createSiteApp } from './create-site-app.ts'
import type { Site, SiteName } from './site.ts'

export const allSites: readonly Site[] = [shop, forum, classifieds]

export type SiteAddresses = Readonly<Record<SiteName, string>>

export interface RunningSites {
  readonly addresses: SiteAddresses
  stop(): Promise<void>
}

interface SiteSettings {
  readonly bind?: string
  /** The port of the first site; the others take the following ones. 0, the default, takes free ones. */
  readonly port?: number
}

export async function startSites({ bind = '127.0.0.1', port = 0 }: SiteSettings = {}): Promise<RunningSites> {
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    await Promise.all(stops.map((each) => each()))
  }
  const addresses: [SiteName, string][] = []
  try {
    for (const [index, site] of allSites.entries()) {
      const { app, sessions } = createSiteApp(site)
      const server = await listen(app.fetch, bind, port === 0 ? 0 : port + index)
      stops.push(async () => {
        await close(server)
        sessions.closeAll()
      })
      const { port: taken } = server.address() as AddressInfo
      addresses.push([site.name, `http://${bind === '0.0.0.0' ? '127.0.0.1' : bind}:${taken}`])
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { addresses: Object.fromEntries(addresses) as Record<SiteName, string>, stop }
}

function listen(
  fetch: Parameters<typeof serve>[0]['fetch'],
  hostname: string,
  port: number,
): Promise<ServerType> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, hostname, port }, () => resolve(server))
    server.once('error', (cause) => {
      reject(
        new EspalierError(
          'conflict',
          `${hostname}:${port} cannot be listened on: ${cause.message}. Name another port by PORT, or none for free ones.`,
          { param: 'PORT', cause },
        ),
      )
    })
  })
}

function close(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
}
