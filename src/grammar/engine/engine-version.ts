/** The version of the engine beside this file, which says the same; written by grammar-engine/build.sh. */
export const ENGINE_VERSION = 'llguidance 1.9.1, 28f847f37fd0ed6e';
