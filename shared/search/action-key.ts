/** What two actions are compared by: the text without white space around it, and one blank for each run inside. */
export function actionKey(action: string): string {
  return action.trim().replace(/\s+/g, ' ')
}
