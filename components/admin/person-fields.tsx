import { FormChoice, FormField } from "@/components/ui/form";

interface Person {
  firstName: string;
  lastName: string;
  timeZone: string;
}

export function PersonFields({
  person,
  timeZones,
  isOneself = false,
}: {
  person: Person;
  timeZones: { value: string; name: string }[];
  /** Whether people fill in the form about themselves. */
  isOneself?: boolean;
}) {
  return (
    <>
      <NameFields person={person} isOneself={isOneself} />
      <FormChoice label="Time zone" name="timeZone" defaultValue={person.timeZone} options={timeZones} />
    </>
  );
}

/** @param person undefined for a new person */
export function NameFields({ person, isOneself = false }: { person?: Person; isOneself?: boolean }) {
  return (
    <>
      <FormField
        label="First name"
        name="firstName"
        defaultValue={person?.firstName}
        required
        maxLength={100}
        autoComplete={isOneself ? "given-name" : "off"}
      />
      <FormField
        label="Last name"
        name="lastName"
        defaultValue={person?.lastName}
        required
        maxLength={100}
        autoComplete={isOneself ? "family-name" : "off"}
      />
    </>
  );
}
