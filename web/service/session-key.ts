import { createStore } from './store.ts'

const name = 'espalier-key'

/** The API key of this tab. It is in session storage only, so it ends with the tab and no other tab reads it. */
export const sessionKey = createStore<string | null>(sessionStorage.getItem(name))

sessionKey.subscribe(() => {
  const key = sessionKey.get()
  if (key === null) sessionStorage.removeItem(name)
  else sessionStorage.setItem(name, key)
})
