import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { isRefused } from '../../service/refusal.ts'
import { useIdempotencyKey } from '../../service/use-idempotency-key.ts'
import { type FieldErrors, fieldErrors } from './field-errors.ts'

/** A section's view of the draft of a request. */
export interface FormPart<Draft> {
  draft: Draft
  onChange: (draft: Draft) => void
  errors: FieldErrors
}

export interface RequestFormOptions<Draft, Request> {
  start: Draft
  toRequest: (draft: Draft) => Request
  isComplete: (draft: Draft) => boolean
  create: (request: Request, idempotencyKey: string) => Promise<{ id: string }>
  addressOf: (id: string) => string
}

/** A form that composes one request: its draft, and the sending of it, once, whatever is clicked or lost on the way. */
export function useRequestForm<Draft, Request>({
  start,
  toRequest,
  isComplete: isDraftComplete,
  create,
  addressOf,
}: RequestFormOptions<Draft, Request>) {
  const [begun] = useState(start)
  const [draft, setDraft] = useState(begun)
  const navigate = useNavigate()
  const request = toRequest(draft)
  const isComplete = isDraftComplete(draft)
  const key = useIdempotencyKey(request)
  const sending = useMutation({
    mutationFn: (sent: { request: Request; key: string }) => create(sent.request, sent.key),
    onSuccess: ({ id }) => navigate(addressOf(id)),
  })
  // Stay sent until the new page opens, so that an edit in between does not send a second request.
  const isSent = sending.isPending || sending.isSuccess
  function change(next: Draft): void {
    setDraft(next)
    if (sending.isError) sending.reset()
  }
  return {
    draft,
    request,
    isComplete,
    isSent,
    isChanged: draft !== begun,
    change,
    submit: () => isComplete && !isSent && sending.mutate({ request, key }),
    /**
     * The form's part and the refusal to show beside it.
     * @param checked - the error of a check of the draft, whose panel shows it
     */
    partWith(checked: unknown): { part: FormPart<Draft>; refusal: Error | null } {
      const isKnown = isRefused(checked) && sending.error?.message === checked.message
      const errors = fieldErrors(sending.error ?? checked)
      return { part: { draft, onChange: change, errors }, refusal: isKnown ? null : sending.error }
    },
  }
}
