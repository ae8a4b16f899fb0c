import { FormCheck, FormField, FormGroup } from "@/components/ui/form";
import { eventGroups } from "@/lib/events/events";
import { type Permission, within } from "@/lib/members/roles";
import { webhookMay } from "@/lib/webhooks/endpoints";

/** The fields of a webhook, with the events that a member with these permissions may choose. */
export function WebhookFields({
  permissions,
  webhook = { url: "", description: "", events: [] },
}: {
  permissions: readonly Permission[];
  webhook?: { url: string; description: string; events: readonly string[] };
}) {
  const groups = eventGroups.filter(({ events }) => within(permissions, webhookMay(Object.keys(events))));
  return (
    <>
      <FormField
        label="URL"
        name="url"
        type="url"
        hint="Lectern sends each event here as a POST request. The URL must begin with https://."
        defaultValue={webhook.url}
        required
        maxLength={2_000}
        autoComplete="off"
        spellCheck={false}
      />
      <FormField
        label="Description"
        name="description"
        hint="Optional. A name for the receiver, such as “Search index.”"
        defaultValue={webhook.description}
        maxLength={200}
        autoComplete="off"
      />
      <FormGroup name="events" legend="Events">
        {groups.map(({ name, events }) => (
          <div key={name} role="group" aria-label={name} className="mt-2 first-of-type:mt-0">
            <p className="text-text-muted">{name}</p>
            {Object.entries(events).map(([event, hint]) => (
              <FormCheck
                key={event}
                name="events"
                value={event}
                label={<code>{event}</code>}
                hint={hint}
                defaultChecked={webhook.events.includes(event)}
              />
            ))}
          </div>
        ))}
      </FormGroup>
    </>
  );
}
