import { z } from 'zod'

export const endpointWarningSchema = z
  .object({
    code: z
      .enum(['short_prompt_count', 'faulty_tokens', 'estimated_usage'])
      .describe(
        '`short_prompt_count`: the endpoint counts far fewer prompt tokens than were sent. `faulty_tokens`: token ids or log-probabilities of its answers cannot be right, and count as unknown. `estimated_usage`: its answers state no tokens, so tokens and cost are estimates.',
      ),
    endpoint: z.string(),
    model: z.string(),
    message: z.string(),
  })
  .meta({ id: 'EndpointWarning' })

export type EndpointWarning = z.infer<typeof endpointWarningSchema>

export function isSameWarning(left: EndpointWarning, right: EndpointWarning): boolean {
  return left.code === right.code && left.endpoint === right.endpoint && left.model === right.model
}
