import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { describeProxies } from '../../shared/core/outbound/proxy-settings.ts'
import { type Check, fail, ok } from './check.ts'

export function checkProxy(environment: Readonly<Record<string, string | undefined>>): Check | null {
  try {
    const proxies = describeProxies(environment)
    if (proxies.length === 0) return null
    const exempt = environment.no_proxy ?? environment.NO_PROXY ?? ''
    const without = exempt === '' ? '' : `; not for ${exempt}`
    return ok('proxy', `${proxies.join(', ')}${without}`)
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error
    return fail('proxy', error.message, 'Correct the variable where the service is started.')
  }
}
