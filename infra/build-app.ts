import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { App, Validations } from 'aws-cdk-lib'
import featureFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import packageFile from '../package.json' with { type: 'json' }
import { EspalierError } from '../shared/core/contracts/errors.ts'
import { codeVersion } from '../shared/core/engine/code-version.ts'
import { projectRoot } from './bundling.ts'
import { findEndpointsFile } from './endpoints-file.ts'
import { findEnvironmentsFile } from './environments-file.ts'
import { EspalierStack } from './espalier-stack.ts'
import { readStageSettings } from './stage-settings.ts'

export interface AppOptions {
  context?: Record<string, unknown>
  outdir?: string
  /** The folder of `endpoints.json` and `environments.json`. @default the repository */
  folder?: string
  pages?: string
}

/**
 * Builds the CDK app: one stack for each stage, checked by the AwsSolutions and the Serverless rules.
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
  new EspalierStack(app, `espalier-${settings.stage}`, {
    settings,
    isFirst: app.node.tryGetContext('first') === 'true',
    code: await codeVersion(packageFile.version),
    endpoints: await findEndpointsFile(folder, settings.stage),
    environments: await findEnvironmentsFile(folder, settings.stage),
    pages,
  })
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app))
  return app
}
