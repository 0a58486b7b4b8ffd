import { Center, Loader } from '@mantine/core'

export function Starting() {
  return (
    <Center h="100vh" role="status" aria-label="Loading" data-state="loading">
      <Loader type="dots" aria-hidden />
    </Center>
  )
}
