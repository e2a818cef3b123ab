/**
 * `lockstep/profiles`: chains that reproduce another system's rules and order, from its own parameter names.
 */
export { PROFILES } from './list.js';
export type { Profile, ProfileInfo, ProfileParam } from './profile.js';
export { PROFILE_NAMES, profileChain } from './profile-chain.js';
