import type { HostAnswer, HostCall } from '../../core/contracts/host-call.ts'

export interface HostCaller {
  /**
   * Makes exactly one call. The host's response is the answer, and so is a failure to reach it: 404 `unknown_host`,
   * 503 `host_unreachable`, 504 `host_timed_out`. After the latter two it is unknown whether the host carried the
   * call out; the same call again, with its step index or session id, shows it.
   * @param within Milliseconds that the host may take, if more than usual. A caller that cannot wait so long answers
   * 504 earlier.
   * @throws the signal's reason if it aborts
   */
  call(call: HostCall, signal?: AbortSignal, within?: number): Promise<HostAnswer>
}
