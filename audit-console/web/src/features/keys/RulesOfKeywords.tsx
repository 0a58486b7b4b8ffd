import { useState } from 'react'
import { Button, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import { View } from '@/shared/ui/States'
import { RulesDialog } from './RulesDialog'
import { Sentences } from './Sentences'

/** By which rules senders make keywords, epoch by epoch, and how that is changed. */
export function RulesOfKeywords() {
  const rules = useQuery({ queryKey: ['keys', 'rules'], queryFn: () => take(api.GET('/api/keys/rules')) })
  const [changing, setChanging] = useState(false)
  return (
    <section aria-labelledby="rules-of-keywords">
      <Title order={2} size="h4" id="rules-of-keywords" mt="xl" mb="xs">
        Rules of keywords
      </Title>
      <View query={rules}>
        {data => (
          <>
            <Sentences of={data.situation} />
            <Text size="sm" c="dimmed" my="sm">
              The page Senders shows by which rules each sender was last seen to make keywords.
            </Text>
            <Button variant="default" onClick={() => setChanging(true)}>
              {data.next ? 'Change the rules' : 'Use rules 2'}
            </Button>
            {changing && <RulesDialog rules={data} close={() => setChanging(false)} />}
          </>
        )}
      </View>
    </section>
  )
}
