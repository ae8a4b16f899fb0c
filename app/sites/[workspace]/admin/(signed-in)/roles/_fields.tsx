import { FormCheck, FormField, FormGroup } from "@/components/ui/form";
import type { Permission } from "@/lib/members/roles";
import { permissionHints, permissionWords } from "./_permissions";

/** The fields of a form about a role. @param givable the permissions that the member may grant */
export function RoleFields({
  role,
  givable,
}: {
  role: { name: string; permissions: Permission[] };
  givable: Permission[];
}) {
  return (
    <>
      <FormField label="Name" name="name" defaultValue={role.name} required maxLength={100} autoComplete="off" />
      <FormGroup name="permissions" legend="Members with this role can">
        {givable.map((permission) => (
          <FormCheck
            key={permission}
            name="permissions"
            value={permission}
            label={permissionWords[permission]}
            hint={permissionHints[permission]}
            defaultChecked={role.permissions.includes(permission)}
          />
        ))}
      </FormGroup>
    </>
  );
}
