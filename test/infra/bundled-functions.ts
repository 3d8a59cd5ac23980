import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { buildApp } from '../../infra/build-app.ts'

const execute = promisify(execFile)

export const environment: Record<string, string> = {
  AWS_REGION: 'us-east-1',
  NODE_OPTIONS: '--enable-source-maps',
  AWS_ACCESS_KEY_ID: 'none',
  AWS_SECRET_ACCESS_KEY: 'none',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: 'espalier-dev-function',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
  _X_AMZN_TRACE_ID: 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=0',
  ESPALIER_STAGE: 'dev',
  ESPALIER_CODE: '0.0.0+000000000000',
  ESPALIER_TABLE: 'table',
  ESPALIER_BUCKET: 'bucket',
  ...Object.fromEntries(
    ['EPISODES', 'ALONE', 'DATASETS', 'JOBS'].flatMap((name) => [
      [`ESPALIER_QUEUE_${name}`, `https://sqs.us-east-1.amazonaws.com/1/${name}`],
      [`ESPALIER_DEAD_${name}`, `https://sqs.us-east-1.amazonaws.com/1/${name}-dead`],
    ]),
  ),
  ESPALIER_HOSTS: JSON.stringify({
    cluster: 'cluster',
    subnets: ['subnet-1'],
    security_group: 'sg-1',
    images: { 'env-host': 'espalier-dev-env-host' },
    port: 8080,
  }),
  ESPALIER_CALL_HOST: 'espalier-dev-call-host',
  POWERTOOLS_SERVICE_NAME: 'espalier',
  POWERTOOLS_METRICS_NAMESPACE: 'Espalier',
  POWERTOOLS_LOG_LEVEL: 'INFO',
}

/** Synthesises a stage with all its code, and copies each function's bundle into a folder that holds nothing else. */
export async function bundleFunctions(): Promise<{ folders: Map<string, string>; remove(): Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), 'espalier-bundles-'))
  const outdir = join(root, 'cdk.out')
  const pages = join(root, 'dist')
  await mkdir(join(pages, 'assets'), { recursive: true })
  for (const name of ['index.html', 'index.html.br', '.stamp', 'assets/index-1a2b.js']) {
    await writeFile(join(pages, name), name)
  }
  const stack = (await buildApp({ outdir, pages })).synth().getStackByName('espalier-dev')
  const folders = new Map<string, string>()
  for (const { Type, Properties } of Object.values<{ Type: string; Properties: FunctionProperties }>(
    stack.template.Resources,
  )) {
    if (Type !== 'AWS::Lambda::Function') continue
    const name = Properties.FunctionName.replace('espalier-dev-', '')
    const folder = join(root, name)
    await cp(join(outdir, `asset.${Properties.Code.S3Key.replace('.zip', '')}`), folder, { recursive: true })
    folders.set(name, folder)
  }
  return { folders, remove: () => rm(root, { recursive: true }) }
}

interface FunctionProperties {
  FunctionName: string
  Code: { S3Key: string }
}

/**
 * Runs a script in a fresh process that can read its folder and nothing else of this machine. `bundle` is what the folder
 * exports.
 *
 * @returns what the script returns
 */
export async function runInBundle(folder: string, script: string): Promise<unknown> {
  const code = `
    const start = performance.now()
    const bundle = await import(${JSON.stringify(join(folder, 'index.mjs'))})
    const milliseconds = performance.now() - start
    const result = await (async () => { ${script} })()
    process.stdout.write('\\n' + JSON.stringify(result ?? null))`
  const words = [
    '--permission',
    '--allow-worker',
    `--allow-fs-read=${join(folder, '*')}`,
    '--input-type=module',
    '--eval',
    code,
  ]
  const { stdout } = await execute(process.execPath, words, {
    cwd: folder,
    env: { ...environment, LAMBDA_TASK_ROOT: folder },
  })
  return JSON.parse(stdout.split('\n').at(-1) ?? '')
}

/**
 * Bytes of the code that each start reads (`index.mjs` and what it imports at once, and so on), of all files, and of all
 * of them packed.
 */
export async function sizesOf(folder: string): Promise<{ start: number; all: number; packed: number }> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const bodies = await Promise.all(
    names.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name))),
  )
  const all = Buffer.concat(bodies)
  return { start: await startSize(folder, ['index.mjs']), all: all.length, packed: gzipSync(all).length }
}

async function startSize(folder: string, reading: string[]): Promise<number> {
  const read = new Set<string>()
  let size = 0
  for (const name of reading) {
    if (read.has(name)) continue
    read.add(name)
    const text = await readFile(join(folder, name), 'utf8')
    size += Buffer.byteLength(text)
    // What is imported at run time, as `import("./part-….mjs")`, is not read at the start.
    for (const [, part] of text.matchAll(/(?:from|import)\s*"\.\/(part-\w+\.mjs)"/g))
      reading.push(String(part))
  }
  return size
}
