const byCode: Readonly<Record<string, string>> = {
  missing_key: 'Here: --api-key, or ESPALIER_API_KEY.',
  invalid_key: 'Look at --api-key and ESPALIER_API_KEY.',
}

const lists: Readonly<Record<string, string>> = {
  run: '`espalier runs` lists them, and `latest` is the newest run.',
  runs: '`espalier runs` lists them, and `latest` is the newest run.',
  dataset: '`espalier datasets` lists them.',
  model: '`espalier models` lists them.',
  training: '`espalier trainings` lists them.',
  loop: '`espalier loops` lists them.',
  import: '`espalier trajectories` lists them.',
  trajectories: '`espalier trajectories` lists them.',
  memory: '`espalier memories` lists them.',
  library: '`espalier libraries` lists them.',
  key: '`espalier keys list` lists them.',
}

export function withAdvice({
  code,
  message,
  param,
}: {
  code: string
  message: string
  param: string | null
}): string {
  const [field = ''] = (param ?? '').split(/[.[]/)
  const advice = byCode[code] ?? (code === 'not_found' ? lists[field] : undefined)
  return advice === undefined ? message : `${message} ${advice}`
}
