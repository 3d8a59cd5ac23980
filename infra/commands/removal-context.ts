/** The CDK synthesises a stack before it deletes it: without the dashboard, which need not be built for that. */
export function contextOfRemoval(stage: string): string[] {
  return ['-c', `stage=${stage}`, '-c', 'web=false']
}
