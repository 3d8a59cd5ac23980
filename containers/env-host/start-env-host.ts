import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { createHostApp } from './create-host-app.ts'
import { type HostLog, logEvent } from './host-log.ts'
import type { HostSettings } from './host-settings.ts'
import { mountFacades } from './mount-facades.ts'
import { closeSockets, createSocketServer } from './openenv/openenv-socket.ts'
import type { ServedEnvironments } from './served-environments.ts'
import { SessionTable } from './session-table.ts'
import { TableSessions } from './table-sessions.ts'

const longestRequest = 20_000

export interface EnvHost {
  port: number
  health: SessionTable['health']
  drain(reason: string): Promise<void>
  left: Promise<void>
}

/**
 * Starts a host. It leaves by itself after `leaveAfter` seconds without a session, so that a forgotten one costs
 * little.
 */
export async function startEnvHost(
  settings: HostSettings,
  environments: ServedEnvironments,
  log: HostLog = logEvent,
): Promise<EnvHost> {
  const table = new SessionTable({ ...settings, environments })
  const app = createHostApp(table, log, settings.accessKey)
  mountFacades(app, new TableSessions(table), settings.roots, log)
  const sockets = createSocketServer()
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    // Detects a client that vanished without closing its connection.
    serverOptions: { keepAlive: true, keepAliveInitialDelay: 60_000 },
    websocket: { server: sockets },
  }) as Server
  await bind(server, settings)
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  let draining: Promise<void> | undefined
  const drain = (reason: string): Promise<void> => {
    draining ??= (async () => {
      const { sessions } = table.health()
      log('info', 'host.draining', { reason, sessions })
      clearInterval(watch)
      table.drain()
      closeSockets(sockets)
      await close(server)
      await table.stop()
      log('info', 'host.left', { reason })
      leave()
    })()
    return draining
  }
  const watch = setInterval(
    () => {
      const reaped = table.reap()
      if (reaped > 0) log('info', 'sessions.reaped', { sessions: reaped })
      if (table.isSpent) void drain('spent')
      else if (table.health().idle_for >= settings.leaveAfter) void drain('idle')
    },
    Math.min(settings.sessionIdle, settings.leaveAfter, 40) * 250,
  )
  return { port: (server.address() as AddressInfo).port, health: () => table.health(), drain, left }
}

function bind(server: Server, { port, bind }: HostSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, bind, resolve)
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    // Closing cuts currently idle connections. Connections whose request ends later would wait for their client.
    const idle = setInterval(() => server.closeIdleConnections(), 20)
    const cut = setTimeout(() => server.closeAllConnections(), longestRequest)
    server.close((error) => {
      clearInterval(idle)
      clearTimeout(cut)
      if (error) reject(error)
      else resolve()
    })
  })
}
