const names = ['job', 'data', 'output', 'resume', 'work'] as const

export type PlaceholderValues = Record<Exclude<(typeof names)[number], 'resume'>, string> & {
  resume: string | null
}

const pattern = /\{([a-z_]+)\}/g

export function placeholdersIn(argument: string): { text: string; isKnown: boolean }[] {
  return [...argument.matchAll(pattern)].map(([text, name = '']) => ({
    text,
    isKnown: (names as readonly string[]).includes(name),
  }))
}

export function fillArguments(args: readonly string[], values: PlaceholderValues): string[] {
  return args
    .filter((argument) => values.resume !== null || !argument.includes('{resume}'))
    .map((argument) =>
      argument.replaceAll(pattern, (text, name: string) =>
        name in values ? (values[name as keyof PlaceholderValues] ?? '') : text,
      ),
    )
}
