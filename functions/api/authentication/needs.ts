import type { MiddlewareHandler } from 'hono'
import { hasScope, isOperator } from '../../../shared/core/auth/principal.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { Scope } from '../../../shared/core/contracts/key.ts'
import { type ApiEnvironment, principalOf } from '../api-app.ts'

export const keyScheme = 'api_key'

/**
 * Required by routes that only the operator may call. It appears beside the scopes in the document, and no key can
 * have it.
 */
export const operatorRole = 'operator'

/**
 * Sets a route's required caller: a key with the scope, any key, or the operator. Adds both the check and the
 * document's `security`, so that they cannot disagree.
 * @example createRoute({ method: 'get', path: '/v1/runs', ...needs('runs:read'), … })
 */
export function needs(role?: Scope | typeof operatorRole) {
  return {
    security: [{ [keyScheme]: role === undefined ? [] : [role] }],
    middleware: role === undefined ? [] : [role === operatorRole ? requireOperator : requireScope(role)],
  }
}

export const needsNoKey: MiddlewareHandler<ApiEnvironment> = (_, next) => next()

function requireScope(scope: Scope): MiddlewareHandler<ApiEnvironment> {
  return async (context, next) => {
    if (!hasScope(principalOf(context), scope)) {
      throw new EspalierError(
        'missing_scope',
        `This API key lacks the scope "${scope}". Use one that has it, or have one made: espalier keys create --scopes ${scope}.`,
      )
    }
    await next()
  }
}

/** Keys belong to a tenant, and a tenant must not raise its own rights. */
const requireOperator: MiddlewareHandler<ApiEnvironment> = async (context, next) => {
  if (!isOperator(principalOf(context))) {
    throw new EspalierError(
      'not_operator',
      'No API key may do this, only the operator of the service: with `espalier` on the machine of the data folder, or in a deployment with AWS credentials, such as `espalier limits set --stage STAGE --tenant TENANT` and `espalier endpoints add --stage STAGE`.',
    )
  }
  await next()
}
