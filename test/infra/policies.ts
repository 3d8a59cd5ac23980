import type { Resource, Synthesised } from './synthesise.ts'

export interface Statement {
  actions: string[]
  resources: unknown[]
  effect: string
}

interface RawStatement {
  Effect: string
  Action: string | string[]
  Resource: unknown
}

export function rightsOf({ ofType }: Synthesised, functionName: string): Statement[] {
  const role = JSON.stringify(functionNamed(ofType('AWS::Lambda::Function'), functionName).Properties.Role)
  const roleId = (JSON.parse(role) as { 'Fn::GetAtt': [string] })['Fn::GetAtt'][0]
  return ofType('AWS::IAM::Policy')
    .filter(({ Properties }) => JSON.stringify(Properties.Roles).includes(`"${roleId}"`))
    .flatMap(statementsOf)
}

export function functionNamed(functions: Resource[], name: string): Resource {
  const found = functions.find(({ Properties }) => Properties.FunctionName === name)
  if (found === undefined) throw new Error(`There is no function ${name}.`)
  return found
}

export function statementsOf({ Properties }: Resource): Statement[] {
  const inline = (Properties.Policies ?? []) as { PolicyDocument: unknown }[]
  const documents = [Properties.PolicyDocument, ...inline.map(({ PolicyDocument }) => PolicyDocument)]
  return documents
    .filter((document) => document !== undefined)
    .flatMap((document) => (document as { Statement: RawStatement[] }).Statement)
    .map(({ Effect, Action, Resource }) => ({
      effect: Effect,
      actions: [Action].flat(),
      resources: [Resource].flat(),
    }))
}

export function actionsOn(statements: Statement[], text: string): string[] {
  const allowed = statements
    .filter(({ effect }) => effect === 'Allow')
    .filter(({ resources }) => JSON.stringify(resources).includes(text))
  return [...new Set(allowed.flatMap(({ actions }) => actions))].sort()
}
