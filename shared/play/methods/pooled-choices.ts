import { endpointAt, endpointShares } from '../../core/contracts/endpoint-shares.ts'
import type { ModelChoice } from '../../core/contracts/model-choice.ts'
import type { RunRequest } from '../../core/contracts/run.ts'

export function choicesOf<Choice extends Pick<ModelChoice, 'endpoint'>>(
  choice: Choice,
  param = 'model',
): Choice[] {
  return endpointShares(choice.endpoint, `${param}.endpoint`).map(({ endpoint }) => ({ ...choice, endpoint }))
}

/** The models of one episode of a run: each pool gives it one of its endpoints. */
export function requestAt<Request extends Pick<RunRequest, 'model' | 'roles'>>(
  request: Request,
  index: number,
): Request {
  const at = <Choice extends { endpoint?: string | undefined }>(choice: Choice): Choice =>
    choice.endpoint === undefined ? choice : { ...choice, endpoint: endpointAt(choice.endpoint, index) }
  const roles = Object.entries(request.roles).map(([role, choice]) => [role, at(choice)])
  return { ...request, model: at(request.model), roles: Object.fromEntries(roles) }
}
