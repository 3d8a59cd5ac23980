export { findFreePort as freePort } from '../../shared/serving/server-process.ts'
