/**
 * `lockstep/verify`: whether this engine gives the bits that it must.
 */
export type { Check, GroupDifference, GroupName, GroupOk, GroupReport, GroupSkipped } from './check.js';
export { type VerifyOptions, type VerifyReport, verify } from './verify.js';
