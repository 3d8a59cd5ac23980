import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { buildApp } from '../../infra/build-app.ts'

type Stack = ReturnType<App['synth']>['stacks'][number]

export interface Resource {
  id: string
  Type: string
  Properties: Record<string, unknown>
  DeletionPolicy?: string
}

/** A stage as CloudFormation would get it, without its code. */
export interface Synthesised {
  template: Template
  resources: Resource[]
  ofType(type: string): Resource[]
  messages: string[]
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
  const outdir = mkdtempSync(join(tmpdir(), 'espalier-synth-'))
  try {
    return describeStack(await assemble(context, folder, outdir))
  } finally {
    rmSync(outdir, { recursive: true })
  }
}

async function assemble(context: Record<string, unknown>, folder: string, outdir: string): Promise<Stack> {
  const pages = join(outdir, 'pages')
  mkdirSync(pages)
  writeFileSync(join(pages, 'index.html'), '<!doctype html>')
  const app = await buildApp({
    context: { 'aws:cdk:bundling-stacks': [], ...context },
    outdir,
    folder,
    pages,
  })
  const [stack] = app.synth().stacks
  if (stack === undefined) throw new Error('The app has no stack.')
  return stack
}

export function describeStack({ messages, template: content }: Stack): Synthesised {
  const template = Template.fromJSON(content)
  const resources = Object.entries(content.Resources as Record<string, Omit<Resource, 'id'>>).map(
    ([id, resource]) => ({ id, ...resource, Properties: resource.Properties ?? {} }),
  )
  return {
    template,
    resources,
    ofType: (type) => resources.filter(({ Type }) => Type === type),
    messages: messages.map(({ level, entry }) => `${level}: ${JSON.stringify(entry.data)}`),
  }
}
