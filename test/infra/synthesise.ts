import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Template } from 'aws-cdk-lib/assertions'
import { buildApp } from '../../infra/build-app.ts'

/** One resource of a template. */
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
  /** What the CDK has to say about it. */
  messages: string[]
}

/** Synthesises a stage without bundling. Throws when a rule finds something without a stated reason. */
export async function synthesise(
  context: Record<string, unknown> = {},
  folder: string = tmpdir(),
): Promise<Synthesised> {
  const outdir = mkdtempSync(join(tmpdir(), 'espalier-synth-'))
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
  const { messages } = stack
  const content: { Resources: object } = stack.template
  rmSync(outdir, { recursive: true })
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
