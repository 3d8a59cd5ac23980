import { createStore } from './store.ts'

/** Whether the page can be seen: a tab in the background needs nothing new. */
export const pageVisibility = createStore<DocumentVisibilityState>(document.visibilityState)

document.addEventListener('visibilitychange', () => pageVisibility.set(document.visibilityState))
