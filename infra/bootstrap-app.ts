import { App, Stack } from 'aws-cdk-lib'

/**
 * An app of one empty stack for `cdk bootstrap`, which synthesises the app to learn its account. The service's own app
 * needs the built dashboard.
 */
const app = new App()
new Stack(app, 'bootstrap')
app.synth()
