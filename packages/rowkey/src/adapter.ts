// For adapters: the contract with its kit, and rows as bytes for stores that keep bytes.
export * from '#store/adapter'
export * from '#record'
