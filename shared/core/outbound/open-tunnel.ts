import { Agent, request } from 'node:http'
import { request as requestSecurely } from 'node:https'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/**
 * An agent for one connection tunnelled by a proxy, for clients such as WebSockets that support no other proxying.
 *
 * @throws Error that names neither address nor password, if the proxy does not connect
 */
export async function openTunnel(proxy: URL, target: URL, signal: AbortSignal): Promise<Agent> {
  const isSecure = target.protocol === 'https:' || target.protocol === 'wss:'
  const path = `${target.hostname}:${target.port || (isSecure ? 443 : 80)}`
  const socket = await connectThrough(proxy, path, signal)
  const { hostname } = target
  const end = isSecure ? connectTls({ socket, servername: hostname.replace(/^\[|\]$/g, '') }) : socket
  const agent = new Agent()
  agent.createConnection = () => end
  return agent
}

function connectThrough(proxy: URL, path: string, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const credentials = [proxy.username, proxy.password].map(decodeURIComponent).join(':')
  const headers = {
    host: path,
    ...(credentials !== ':' && {
      'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
    }),
  }
  const send = proxy.protocol === 'https:' ? requestSecurely : request
  const asking = send({
    host: proxy.hostname,
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    method: 'CONNECT',
    path,
    headers,
    signal,
    agent: false,
  })
  asking.once('connect', ({ statusCode = 0 }, socket) => {
    if (statusCode === 200) return resolve(socket as Socket)
    socket.destroy()
    reject(new Error(`the proxy answered with the status ${statusCode}`))
  })
  asking.once('response', ({ statusCode = 0 }) =>
    reject(new Error(`the proxy answered with the status ${statusCode}`)),
  )
  asking.once('error', reject)
  asking.end()
  return promise
}
