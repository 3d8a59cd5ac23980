import type { MethodInfo } from '../shared/core/contracts/catalogue.ts'
import { wrap } from './fit-text.ts'
import { describeParameters, hang, listParameters } from './format-parameters.ts'

export function formatMethods(methods: MethodInfo[], width: number): string[] {
  const lines = methods.flatMap(({ id, description, module, parameters }) => [
    ...hang(`${id}: ${description}${module ? ` (${module.file})` : ''}`, { width, by: 2 }),
    ...listParameters(parameters, width),
  ])
  return [
    ...lines,
    '',
    ...wrap('What a parameter or a prompt of a method is: espalier methods METHOD', width),
  ]
}

export function formatMethod(method: MethodInfo, options: { width: number; prompts: boolean }): string[] {
  const { branches, description, id, module, prompts, roles, source, writes } = method
  const { width } = options
  const facts = [
    `source: ${source}`,
    ...(module ? [`added from ${module.file}, version ${module.digest}`] : []),
    ...(roles.length > 0
      ? [`asks beside the policy, as parameters decide: ${roles.join(', ')} (--role)`]
      : []),
    ...(writes === null ? [] : [`learns between tasks: its runs leave a ${writes} for later ones`]),
    ...(branches ? ['goes back to earlier states, which not every environment can'] : []),
  ]
  return [
    ...hang(`${id}: ${description}`, { width, by: 2 }),
    ...facts.flatMap((fact) => hang(`  ${fact}`, { width, by: 4 })),
    ...describeParameters(method.parameters, width),
    '',
    ...hang('Prompts, each of which a run can replace: --prompt id=@file', { width, by: 2 }),
    ...prompts.flatMap((prompt) => [
      ...(options.prompts ? [''] : []),
      ...hang(`  ${prompt.id}: ${prompt.purpose}`, { width, by: 6 }),
      ...(options.prompts ? prompt.text.split('\n').map((line) => `    ${line}`.trimEnd()) : []),
    ]),
  ]
}
