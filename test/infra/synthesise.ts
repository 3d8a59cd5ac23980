import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { buildApp } from '../../infra/build-app.ts'

type Stack = Pick<ReturnType<App['synth']>['stacks'][number], 'messages'> & { template: StackTemplate }

export interface Resource {
  id: string
  Type: string
  Properties: Record<string, unknown>
  DeletionPolicy?: string
  DependsOn?: string[]
}

/** A stage as CloudFormation would get it, without its code. `template` joins its stacks. */
export interface Synthesised {
  template: Template
  resources: Resource[]
  ofType(type: string): Resource[]
  messages: string[]
}

export type SynthesisedStack = { stackName: string; template: StackTemplate }

export interface StackTemplate {
  Resources: Record<string, Omit<Resource, 'id'>>
  Outputs?: Record<string, { Value: unknown; Export?: { Name: string } }>
}

const made = new Map<string, Promise<Synthesised>>()

/**
 * Synthesises a stage without bundling, once for each context and folder: what it answers is read only. Throws when a rule
 * finds something without a stated reason.
 */
export function synthesise(
  context: Record<string, unknown> = {},
  folder: string = tmpdir(),
): Promise<Synthesised> {
  const key = JSON.stringify([context, folder])
  const known = made.get(key) ?? synthesiseAnew(context, folder)
  made.set(key, known)
  return known
}

async function synthesiseAnew(context: Record<string, unknown>, folder: string): Promise<Synthesised> {
  const stacks = await synthesiseStacks(context, folder)
  const joined = (part: keyof StackTemplate) =>
    Object.assign({}, ...stacks.map(({ template }) => template[part]))
  return describeStack({
    messages: stacks.flatMap(({ messages }) => messages),
    template: { Resources: joined('Resources'), Outputs: joined('Outputs') },
  })
}

/** Answers the stacks in the order of their deployment. */
export async function synthesiseStacks(
  context: Record<string, unknown>,
  folder: string = tmpdir(),
): Promise<(Stack & SynthesisedStack)[]> {
  const outdir = mkdtempSync(join(tmpdir(), 'espalier-synth-'))
  try {
    const pages = join(outdir, 'pages')
    mkdirSync(pages)
    writeFileSync(join(pages, 'index.html'), '<!doctype html>')
    const app = await buildApp({
      context: { 'aws:cdk:bundling-stacks': [], ...context },
      outdir,
      folder,
      pages,
    })
    // Templates are read when they are asked for.
    return app.synth().stacks.map(({ stackName, messages, template }) => ({ stackName, messages, template }))
  } finally {
    rmSync(outdir, { recursive: true })
  }
}

export function describeStack({ messages, template: content }: Stack): Synthesised {
  const template = Template.fromJSON(content)
  const resources = Object.entries(content.Resources).map(([id, resource]) => ({
    id,
    ...resource,
    Properties: resource.Properties ?? {},
  }))
  return {
    template,
    resources,
    ofType: (type) => resources.filter(({ Type }) => Type === type),
    messages: messages.map(({ level, entry }) => `${level}: ${JSON.stringify(entry.data)}`),
  }
}
