import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { App, Validations } from 'aws-cdk-lib'
import featureFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import packageFile from '../package.json' with { type: 'json' }
import { EspalierError } from '../shared/core/contracts/errors.ts'
import { codeVersion } from '../shared/core/engine/code-version.ts'
import { projectRoot } from './bundling.ts'
import { DataStack } from './data-stack.ts'
import { findEndpointsFile } from './endpoints-file.ts'
import { findEnvironmentsFile } from './environments-file.ts'
import { EspalierStack } from './espalier-stack.ts'
import { ImagesStack } from './images/images-stack.ts'
import { stackOf } from './stage-facts.ts'
import { readStageSettings } from './stage-settings.ts'

export interface AppOptions {
  context?: Record<string, unknown>
  outdir?: string
  /** The folder of `endpoints.json` and `environments.json`. @default the repository */
  folder?: string
  pages?: string
}

/**
 * Builds the CDK app: the stack of a stage, and one of its data, checked by the AwsSolutions and the Serverless rules.
 *
 * @throws EspalierError if a setting or one of those files is wrong, or if the dashboard is not built
 */
export async function buildApp({
  context = {},
  outdir,
  folder = projectRoot,
  pages = join(projectRoot, 'web', 'dist'),
}: AppOptions = {}): Promise<App> {
  const app = new App({ context: { ...featureFlags, ...context }, outdir })
  const settings = readStageSettings(app.node)
  if (settings.web && !existsSync(join(pages, 'index.html'))) {
    throw new EspalierError(
      'invalid_request',
      'The dashboard is not built. Build it: npm run build:web. To set up the CDK, which needs none: npm run deploy -- --bootstrap',
    )
  }
  const { stage, bucket, table } = settings
  const own = bucket === undefined || table === undefined ? new DataStack(app, settings) : null
  const stack = new EspalierStack(app, stackOf(stage), {
    settings,
    data: own?.names ?? { bucket: String(bucket), table: String(table) },
    code: await codeVersion(packageFile.version),
    endpoints: await findEndpointsFile(folder, stage),
    environments: await findEnvironmentsFile(folder, stage),
    pages,
  })
  if (own !== null) stack.addStackDependency(own)
  if (settings.hosts && settings.buildInAccount) new ImagesStack(app, settings)
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app))
  return app
}
