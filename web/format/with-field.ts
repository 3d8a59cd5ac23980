export function withField<Draft extends object, Field extends keyof Draft>(
  draft: Draft,
  field: Field,
  value: Draft[Field] | undefined,
): Draft {
  const { [field]: _, ...rest } = draft
  const isEmpty =
    value === undefined ||
    value === '' ||
    (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  return (isEmpty ? rest : { ...rest, [field]: value }) as Draft
}
