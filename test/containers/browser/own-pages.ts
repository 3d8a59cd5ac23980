import { BrowserKeeper } from '../../../containers/browser/browser-keeper.ts'
import { launchBrowser } from '../../../containers/browser/launch-browser.ts'
import { bundlePath } from '../../../shared/environments/miniwob/page-bundle.ts'

/** A page of the shape of MiniWoB++: its episode ends by a button, and its number comes from the seed. */
const page = `<!doctype html><html><head><title>Own Task</title><script>
var WOB_DONE_GLOBAL = false, WOB_RAW_REWARD_GLOBAL = 0, WOB_TASK_READY = true
Math.seedrandom = (seed) => { Math.random = () => (seed % 7) / 10 }
function end(reward) { WOB_DONE_GLOBAL = true; WOB_RAW_REWARD_GLOBAL = reward }
const core = {
  startEpisodeReal() {
    document.getElementById('number').textContent = 'Number ' + Math.floor(Math.random() * 10)
    setTimeout(() => { document.getElementById('late').textContent = 'Later' }, 1500)
  },
  getUtterance: () => ({ utterance: 'Press the right button.' }),
}
</script></head><body><div id="reward-display">Last reward: 1</div><p id="number"></p><p id="late"></p>
<p id="day"></p><script>document.getElementById('day').textContent = new Date().toISOString()</script>
<button onclick="end(1)">Right</button><button onclick="end(-1)">Wrong</button><button onclick="end(0.5)">Half</button>
<button onclick="for(;;);">Hang</button></body></html>`

/** What a request for a session of `click-test` brings. */
export const ownPages = {
  [bundlePath('click-test')]: JSON.stringify({ 'miniwob/click-test.html': page }),
}

/** The host's own browser, with no site to reach. The caller stops it. */
export function keepBrowser(): BrowserKeeper {
  return new BrowserKeeper(() => launchBrowser([], () => undefined))
}
