import { EspalierError } from '../contracts/errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** If 1, sends requests for this machine through the proxy too. */
const loopbackVariable = 'ESPALIER_PROXY_LOOPBACK'
const loopback = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/
const loopbackHosts = ['localhost', '127.0.0.1', '::1']

const variables = { 'http:': ['http_proxy', 'HTTP_PROXY'], 'https:': ['https_proxy', 'HTTPS_PROXY'] }

/**
 * The proxy for requests to an address, by `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` in either case. As in Node's
 * own `fetch`, the first also serves https if the second is not set. Requests to this machine use none.
 *
 * @throws EspalierError `invalid_request` for a variable that names no proxy over http or https
 */
export function proxyFor({ hostname, port, protocol }: URL, environment: Environment): URL | null {
  if (!/^(https?|wss?):$/.test(protocol)) return null
  const isSecure = protocol === 'https:' || protocol === 'wss:'
  const proxy = isSecure
    ? (readProxy(variables['https:'], environment) ?? readProxy(variables['http:'], environment))
    : readProxy(variables['http:'], environment)
  if (proxy === null) return null
  if (loopback.test(hostname) && environment[loopbackVariable] !== '1') return null
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: port || (isSecure ? '443' : '80') }
  return exemptions(environment).some((exemption) => covers(exemption, target)) ? null : proxy
}

function readProxy(names: readonly string[], environment: Environment): URL | null {
  const name = names.find((each) => environment[each]?.trim())
  if (name === undefined) return null
  const text = environment[name]?.trim() ?? ''
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '')
    return url
  throw new EspalierError(
    'invalid_request',
    `The environment variable ${name} names no proxy over http or https. Set it to an address such as http://proxy:3128, or unset it.`,
    { param: name },
  )
}

function exemptions(environment: Environment): string[] {
  const text = environment.no_proxy ?? environment.NO_PROXY ?? ''
  return text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((each) => each !== '')
}

function covers(exemption: string, { host, port }: { host: string; port: string }): boolean {
  if (exemption === '*') return true
  const [, name = '', only] = /^(.*?)(?::(\d+))?$/.exec(exemption) ?? []
  const isAddress = exemption.includes('::') || exemption.startsWith('[')
  if (isAddress) return exemption.replace(/^\[|\](:\d+)?$/g, '') === host
  if (only !== undefined && only !== port) return false
  const domain = name.replace(/^\*?\./, '')
  return host === domain || host.endsWith(`.${domain}`)
}

export function describeProxies(environment: Environment): string[] {
  return Object.values(variables).flatMap((names) => {
    const proxy = readProxy(names, environment)
    if (proxy === null) return []
    const user = proxy.username === '' ? '' : '…@'
    return [`${names[1]} ${proxy.protocol}//${user}${proxy.host}`]
  })
}

/** Adds this machine to `no_proxy`, which Node's own `fetch` and child programs respect. */
export function exemptLoopback(environment: Record<string, string | undefined>): void {
  if (environment[loopbackVariable] === '1') return
  if (
    !Object.values(variables)
      .flat()
      .some((name) => environment[name]?.trim())
  )
    return
  const listed = exemptions(environment)
  const missing = loopbackHosts.filter((host) => !listed.includes(host))
  if (missing.length === 0 || listed.includes('*')) return
  environment.no_proxy = [...listed, ...missing].join(',')
  environment.NO_PROXY = environment.no_proxy
}
