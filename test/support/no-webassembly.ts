/**
 * Takes WebAssembly away before anything of the library is imported, so that the plain passes serve every request.
 */
Reflect.deleteProperty(globalThis, 'WebAssembly');
