import type { MiddlewareHandler } from 'hono'
import { hasScope, isOperator } from '../../../shared/auth/principal.ts'
import { EspalierError } from '../../../shared/contracts/errors.ts'
import type { Scope } from '../../../shared/contracts/key.ts'
import { type ApiEnvironment, principalOf } from '../api-app.ts'

/** The name of the API key in the document's security schemes. */
export const keyScheme = 'api_key'

/** What only the operator of the service may do. It stands beside the scopes in the document, and no key can have it. */
export const operatorRole = 'operator'

/**
 * What a route requires of its caller: a key with the scope, any key, or to be the operator. Gives the route its check
 * and the document its `security`, so that neither can say something else than the other.
 *
 * @example
 * createRoute({ method: 'get', path: '/v1/runs', ...needs('runs:read'), … })
 */
export function needs(role?: Scope | typeof operatorRole) {
  return {
    security: [{ [keyScheme]: role === undefined ? [] : [role] }],
    middleware: role === undefined ? [] : [role === operatorRole ? requireOperator : requireScope(role)],
  }
}

/** Marks a route that needs no key: without it, every route requires one. */
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

/** Keys are a tenant's, and a tenant must not give itself more than it was given. */
const requireOperator: MiddlewareHandler<ApiEnvironment> = async (context, next) => {
  if (!isOperator(principalOf(context))) {
    throw new EspalierError(
      'not_operator',
      'No API key may do this, only the operator of the service: with `espalier` on the machine of the data folder, or in a deployment with AWS credentials, such as `espalier limits set --stage STAGE --tenant TENANT` and `espalier endpoints add --stage STAGE`.',
    )
  }
  await next()
}
